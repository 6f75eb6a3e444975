-- What can be done to an Instance now: what `cutover` would not refuse. Lua 5.1 without libraries.

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

local function holds(kind)
  for _, one in pairs(part(status, "conditions")) do
    if text(one, "type") == kind and text(one, "status") == "True" then return one end
  end
  return nil
end

local ours = metadata.deletionTimestamp == nil and not paused
  and not (holds("ManagedElsewhere") or holds("SchemaOutdated") or holds("NotReadable"))

ours = ours and next(status) ~= nil
local execution, newest = part(status, "execution"), part(part(status, "history"), 1)
local runs, accepted = next(execution) ~= nil, next(part(status, "accepted")) ~= nil
local outcome = text(newest, "outcome")
if outcome == nil then
  for _, plan in pairs(part(status, "planStatus")) do
    if text(plan, "status") == "FATAL_ERROR" then outcome = "FATAL_ERROR" end
  end
end
local stuck = metadata.deletionTimestamp ~= nil and newest.cause == "cleanup"
local failed = not runs and outcome ~= nil and outcome ~= "COMPLETE"
local refused = false
for _, one in pairs(part(status, "conditions")) do
  if text(one, "type") == "Accepted" and text(one, "status") == "False" then refused = true end
end

local function can(yes) return { disabled = not yes } end
return {
  abort = can(ours and runs and text(execution, "plan") ~= "cleanup"),
  restart = can(ours and accepted),
  retry = can(failed and (stuck or (ours and accepted))),
  rollback = can(metadata.deletionTimestamp == nil and accepted and (refused or holds("Waiting") ~= nil)),
  pause = can(not paused),
  resume = can(paused),
}
