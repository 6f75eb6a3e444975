-- What can be done to a FlinkBlueGreenDeployment now: what `cutover` would not refuse. Lua 5.1 without libraries.

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

local job = part(spec, "template").spec
if type(job) == "table" then job = job.job end
local has = type(job) == "table"
local asleep = has and job.state == "suspended"
local transition = part(status, "transition")
local phase, from, id = text(transition, "phase"), text(transition, "from"), text(transition, "id")
local ahead = phase == "switching" or phase == "draining" or phase == "keeping" or phase == "retiring"
local waits = phase == "verifying"
  or (phase == "draining" and text(holds("Reconciling"), "reason") == "AwaitsPromotion")
local aborted = next(part(status, "aborted")) ~= nil

local function can(yes) return { disabled = not yes } end
return {
  promote = can(ours and from ~= nil and waits and annotations["cutover.dev/promote"] ~= id),
  abort = can(ours and from ~= nil and not ahead),
  rollback = can(ours and from ~= nil and ahead),
  restart = can(ours and has and not asleep),
  retry = can(ours and phase == nil and aborted and not asleep),
  suspend = can(ours and has and not asleep),
  pause = can(metadata.deletionTimestamp == nil and not paused),
  resume = can(paused or asleep),
}
