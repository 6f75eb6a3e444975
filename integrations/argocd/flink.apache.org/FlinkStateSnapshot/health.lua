-- How a FlinkStateSnapshot is: whether the state was saved. Lua 5.1 without libraries.

-- The member of a table if it is a table itself, else an empty one: a status may have been written by anybody.
local function part(value, name)
  if type(value) == "table" and type(value[name]) == "table" then return value[name] end
  return {}
end

local function text(value, name)
  if type(value) == "table" and type(value[name]) == "string" then return value[name] end
  return nil
end

local status = part(obj, "status")
local state = text(status, "state")
if state == "COMPLETED" then return { status = "Healthy", message = text(status, "path") or "The snapshot is complete." } end
if state == "FAILED" or state == "ABANDONED" then
  return { status = "Degraded", message = text(status, "error") or "The snapshot was not taken." }
end
return { status = "Progressing", message = text(status, "error") or "The snapshot is being taken." }
