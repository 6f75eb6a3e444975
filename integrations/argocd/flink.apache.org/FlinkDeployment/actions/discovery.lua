-- What can be done to a FlinkDeployment now: what `cutover` would not refuse. Lua 5.1 without libraries.

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

-- A side of a blue/green deployment is steered there.
local side = false
for _, owner in pairs(part(metadata, "ownerReferences")) do
  if text(owner, "kind") == "FlinkBlueGreenDeployment" then side = true end
end
ours = ours and not side
local job = part(spec, "job")
local has, asleep = type(spec.job) == "table", job.state == "suspended"
local lifecycle = text(status, "lifecycleState")
local moving = text(part(status, "transition"), "phase") ~= nil
local failed = lifecycle == "FAILED" or lifecycle == "ROLLED_BACK"
  or (lifecycle ~= nil and lifecycle ~= "CREATED" and lifecycle ~= "SUSPENDED" and holds("Stalled") ~= nil)

local function can(yes) return { disabled = not yes } end
return {
  restart = can(ours and not asleep),
  retry = can(ours and not moving and failed and not asleep),
  suspend = can(ours and has and not asleep),
  pause = can(metadata.deletionTimestamp == nil and not paused and not side),
  resume = can((paused or asleep) and not side),
}
