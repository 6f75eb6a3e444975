-- Takes a pause away, else lets what is suspended go on, as `cutover resume` does. Lua 5.1 without libraries.
local annotations = obj.metadata.annotations or {}
local paused = annotations["cutover.dev/paused"]
if paused ~= nil and paused ~= "false" then
  annotations["cutover.dev/paused"] = nil
elseif obj.spec.desiredState ~= "STARTED" then
  obj.spec.desiredState = "STARTED"
end
return obj
