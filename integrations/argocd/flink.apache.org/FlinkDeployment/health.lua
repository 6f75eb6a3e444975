-- How a FlinkDeployment is: the same as `cutover get` says. Lua 5.1 without libraries.

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

-- An edit that nobody has looked at yet: what the status says is of the one before.
local function newer()
  local wanted, seen = metadata.generation, status.observedGeneration
  return type(wanted) == "number" and type(seen) == "number" and seen < wanted
end

local lifecycle = text(status, "lifecycleState")
if metadata.deletionTimestamp ~= nil then return is("Progressing", nil, "It is being deleted.") end
local moving = text(part(status, "transition"), "phase") ~= nil
if not moving and (lifecycle == "DELETING" or lifecycle == "DELETED") then
  return is("Progressing", nil, "It is being deleted.")
end
local aside = holds("ManagedElsewhere") or holds("SchemaOutdated") or holds("NotReadable") or holds("Paused")
if aside then return is("Suspended", aside, "Cutover leaves it alone.") end

local ready, reconciling, stalled = conditions["Ready"], holds("Reconciling"), holds("Stalled")
if newer() then return is("Progressing", nil, "It was edited, and the operator has not looked at that yet.") end
local refused = text(stalled, "reason")
if refused == "ValidationError" or refused == "UnsupportedFlinkVersion" then return is("Degraded", stalled) end
if moving then return is("Progressing", reconciling, "A change is under way.") end

if lifecycle == nil or lifecycle == "CREATED" then
  if stalled then return is("Degraded", stalled, "It could not be deployed.") end
  return is("Progressing", reconciling or ready, "It was not looked at yet.")
end
if lifecycle == "SUSPENDED" then return is("Suspended", ready, "It is suspended, as specified.") end
if lifecycle == "FAILED" then return is("Degraded", stalled or ready, text(status, "error") or "It has failed.") end
if lifecycle == "ROLLED_BACK" then return is("Degraded", stalled or ready, "The new specification was rolled back.") end
if stalled then return is("Degraded", stalled, "It does not get on without a person.") end
-- A session cluster has no job of its own.
local job = nil
if type(spec.job) == "table" then job = text(part(status, "jobStatus"), "state") end
if job == "FINISHED" then return is("Healthy", ready, "The job has finished.") end
if job == "FAILING" or job == "RESTARTING" then return is("Degraded", ready, "Flink restarts the job again and again.") end
if reconciling or lifecycle ~= "STABLE" then return is("Progressing", reconciling or ready, "It is not stable yet.") end
return is("Healthy", ready, "It runs as specified.")
