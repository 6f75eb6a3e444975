-- What can be done to a CFApp now, of what is one write of the app itself. Lua 5.1 without libraries.

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

local annotations = part(metadata, "annotations")
local paused = annotations["cutover.dev/paused"] ~= nil and annotations["cutover.dev/paused"] ~= "false"

local started = spec.desiredState == "STARTED"
local droplet = text(part(spec, "currentDropletRef"), "name")

local function can(yes) return { disabled = not yes } end
return {
  suspend = can(started),
  pause = can(not paused),
  resume = can(paused or (not started and droplet ~= nil and droplet ~= "")),
}
