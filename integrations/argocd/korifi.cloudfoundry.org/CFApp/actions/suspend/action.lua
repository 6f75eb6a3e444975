-- Stops the app, as `cf stop` and `cutover suspend` do: the state and the new revision in one write. Lua 5.1 without libraries.
if type(obj.metadata.annotations) ~= "table" then obj.metadata.annotations = {} end
local annotations = obj.metadata.annotations
local highest = 0
for _, name in pairs({ "korifi.cloudfoundry.org/app-rev", "korifi.cloudfoundry.org/last-stop-app-rev", "cutover.dev/highest-app-rev" }) do
  local revision = tonumber(annotations[name])
  if revision ~= nil and revision > highest then highest = revision end
end
local next = tostring(highest + 1)
annotations["korifi.cloudfoundry.org/app-rev"] = next
annotations["korifi.cloudfoundry.org/last-stop-app-rev"] = next
annotations["cutover.dev/highest-app-rev"] = next
obj.spec.desiredState = "STOPPED"
return obj
