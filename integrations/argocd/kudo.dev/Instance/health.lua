-- How an Instance is: the same as `cutover get` says. Lua 5.1 without libraries.

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

-- What ended last. KUDO left no history, but what became of each plan, and when.
local function last()
  local newest = part(part(status, "history"), 1)
  if text(newest, "outcome") ~= nil then return newest end
  local found = {}
  for _, plan in pairs(part(status, "planStatus")) do
    local outcome, time = text(plan, "status"), text(plan, "lastUpdatedTimestamp") or ""
    if (outcome == "COMPLETE" or outcome == "FATAL_ERROR") and (found.time == nil or time > found.time) then
      found = { outcome = outcome, time = time, message = text(plan, "message") }
    end
  end
  return found
end

local ended, runs = last(), next(part(status, "execution")) ~= nil
if metadata.deletionTimestamp ~= nil then
  if not runs and ended.cause == "cleanup" and ended.outcome ~= "COMPLETE" then
    return { status = "Degraded", message = text(ended, "message") or "It stays, for its plan cleanup has failed." }
  end
  return is("Progressing", nil, "It is being deleted.")
end
local aside = holds("ManagedElsewhere") or holds("SchemaOutdated") or holds("NotReadable")
if aside then return is("Suspended", aside, "Cutover leaves it alone.") end
local paused = text(part(metadata, "annotations"), "cutover.dev/paused")
if paused ~= nil and paused ~= "false" then return is("Suspended", holds("Paused"), "It is paused.") end
if next(status) == nil then return is("Progressing", nil, "It was not looked at yet.") end
if runs then
  local plan = text(part(status, "execution"), "plan") or ""
  return is("Progressing", holds("Reconciling"), "Plan " .. plan .. " runs.")
end

local accepted = conditions["Accepted"]
if text(accepted, "status") == "False" and not newer() then
  local letter, asked = part(status, "letter"), part(spec, "planExecution")
  local same = text(letter, "planName") == text(asked, "planName") and text(letter, "uid") == text(asked, "uid")
  local aboutLetter = accepted.reason == "UnknownPlan" or accepted.reason == "CleanupByUser"
  -- A plan that is not run is no reason to call what runs degraded.
  if not (letter.declined == true and same and aboutLetter) then return is("Degraded", accepted) end
end
local seen = status.observedGeneration
if type(seen) ~= "number" then seen = 0 end
if type(metadata.generation) == "number" and seen < metadata.generation then
  return is("Progressing", nil, "It was edited, and the operator has not looked at that yet.")
end
if ended.outcome == "FATAL_ERROR" then return is("Degraded", ended, "A plan has failed.") end
if ended.outcome == "CANCELED" and ended.cause ~= "trigger" then return is("Degraded", ended, "A plan was stopped half way.") end
local ready = conditions["Ready"]
if text(ready, "status") == "False" then return is("Degraded", ready, "Not all of its resources are healthy.") end
if holds("Drifted") then return is("Degraded", holds("Drifted")) end
if next(part(status, "restart")) ~= nil then return is("Suspended", holds("RestartPending"), "Its pods are to restart.") end
if holds("RestartPending") then return is("Suspended", holds("RestartPending")) end
if holds("Ready") then return is("Healthy", ready, "All resources are healthy.") end
return is("Progressing", ready, "Nothing is known of its resources yet.")
