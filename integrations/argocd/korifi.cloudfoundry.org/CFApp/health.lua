-- How a CFApp is: the same as `cutover get` says. Lua 5.1 with its string library (useOpenLibs).

-- The member of a table if it is a table itself, else an empty one: a status may have been written by anybody.
local function part(value, name)
  if type(value) == "table" and type(value[name]) == "table" then return value[name] end
  return {}
end

local function text(value, name)
  if type(value) == "table" and type(value[name]) == "string" then return value[name] end
  return nil
end

local metadata, spec, status = part(obj, "metadata"), part(obj, "spec"), part(obj, "status")

local conditions = {}
for _, one in pairs(part(status, "conditions")) do
  local kind = text(one, "type")
  if kind ~= nil then conditions[kind] = one end
end

local function holds(kind)
  if text(conditions[kind], "status") == "True" then return conditions[kind] end
  return nil
end

local function is(health, condition, otherwise)
  local message = text(condition, "message") or text(condition, "reason")
  if message == nil or message == "" then message = otherwise end
  return { status = health, message = message }
end

if metadata.deletionTimestamp ~= nil then return is("Progressing", nil, "It is being deleted; its instances end.") end
local annotations = part(metadata, "annotations")
local paused = annotations["cutover.dev/paused"]
if paused ~= nil and paused ~= "false" then return is("Suspended", nil, "Paused: the operator leaves it alone.") end

local ready = conditions["Ready"]
local through = text(ready, "status") == "True" and ready.observedGeneration == metadata.generation
if spec.desiredState ~= "STARTED" then
  if through or status.actualState ~= "STARTED" then return is("Suspended", nil, "Stopped.") end
  return is("Progressing", nil, "It is being stopped; its instances end.")
end
local droplet = text(part(spec, "currentDropletRef"), "name")
if droplet == nil or droplet == "" then return is("Degraded", ready, "No droplet is assigned.") end
local revision = text(annotations, "korifi.cloudfoundry.org/app-rev") or "0"
if through and status.observedAppRev == revision then return is("Healthy", ready, "It runs on all instances.") end

-- The deployment under way stands on the app. The revision before it has a number, too: that one is left out.
local mark = string.gsub(text(annotations, "cutover.dev/deployment") or "", '"previous":%b{}', "")
local canceled = string.find(mark, '"canceled":true', 1, true) ~= nil
local own = string.match(mark, '"appRev":(%d+)') == revision
if own and not canceled and holds("CanaryWaiting") then
  return is("Suspended", holds("CanaryWaiting"), "A canary waits for somebody to continue or cancel it.")
end
if text(ready, "status") == "False" then
  local message = text(ready, "message") or ""
  local hopeless = ready.reason == "CannotResolveCurrentDropletRef"
  if hopeless or string.find(message, "does not come up", 1, true) then return is("Degraded", ready) end
end
return is("Progressing", ready, "Instances are being replaced.")
