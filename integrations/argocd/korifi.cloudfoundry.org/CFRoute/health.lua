-- How a CFRoute is, by the one condition that every kind of Cloud Foundry has. Lua 5.1 without libraries.

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

if metadata.deletionTimestamp ~= nil then return is("Progressing", nil, "It is being deleted.") end
local ready = conditions["Ready"]
local current = ready ~= nil and ready.observedGeneration == metadata.generation
if current and text(ready, "status") == "True" then return is("Healthy", ready, "It is ready.") end
return is("Progressing", ready, "It was not looked at yet.")
