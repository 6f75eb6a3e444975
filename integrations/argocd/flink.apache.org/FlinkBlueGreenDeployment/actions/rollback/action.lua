-- Brings traffic back to the old side, as `cutover rollback` does. Lua 5.1 without libraries.
--
-- It says so to this very transition: a later one is never meant.
if type(obj.metadata.annotations) ~= "table" then obj.metadata.annotations = {} end
obj.metadata.annotations["cutover.dev/rollback"] = obj.status.transition.id
return obj
