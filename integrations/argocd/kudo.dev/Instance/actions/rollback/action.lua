-- Takes back a change that waits or is refused, as `cutover rollback` does. Lua 5.1 without libraries.
obj.spec.operatorVersion = obj.status.accepted.operatorVersion
obj.spec.parameters = obj.status.accepted.parameters
return obj
