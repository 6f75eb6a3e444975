-- How a FlinkBlueGreenDeployment is: the same as `cutover get` says. Lua 5.1 with its string library (useOpenLibs).

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

if metadata.deletionTimestamp ~= nil then return is("Progressing", nil, "It is being deleted; both sides go with it.") end
local aside = holds("ManagedElsewhere") or holds("SchemaOutdated") or holds("NotReadable") or holds("Paused")
if aside then return is("Suspended", aside, "Cutover leaves it alone.") end

local transition, serving = part(status, "transition"), part(status, "serving")
local moving, served = text(transition, "phase") ~= nil, text(serving, "color") ~= nil
if not moving and not served and text(status, "blueGreenState") == nil then
  return is("Progressing", conditions["Ready"], "It was not looked at yet.")
end
if newer() then return is("Progressing", nil, "It was edited, and the operator has not looked at that yet.") end

local ready, reconciling, stalled = conditions["Ready"], holds("Reconciling"), holds("Stalled")
local reason = text(reconciling, "reason")

-- Without a record of ours, the state tells where another operator left it.
local at = "active"
if moving then
  at = "moving"
elseif not served then
  local places = { ACTIVE_BLUE = "active", ACTIVE_GREEN = "active", INITIALIZING_BLUE = "new" }
  at = places[text(status, "blueGreenState")] or "elsewhere"
end

local job = part(part(part(spec, "template"), "spec"), "job")
local asleep = text(job, "state") == "suspended"
if asleep and at == "new" and type(status.observedGeneration) ~= "number" then asleep = false end
if asleep and at == "active" and text(status, "lastReconciledSpec") ~= nil then
  -- Until it has been looked at, what is to be suspended still runs. The recorded spec is JSON in a text.
  asleep = string.find(status.lastReconciledSpec, '"state":"suspended"', 1, true) ~= nil
end
local within = next(part(status, "inPlace")) ~= nil

if at == "active" and within then return is("Progressing", reconciling, "The side that serves is changed where it is.") end
if (at == "active" or at == "new") and asleep then
  local refused = text(stalled, "reason")
  if refused == "ValidationError" or refused == "UnsupportedFlinkVersion" then return is("Degraded", stalled) end
  return is("Suspended", ready, "It is suspended, as specified.")
end
if stalled then return is("Degraded", stalled, "It does not get on without a person.") end
local available = conditions["Available"]
if text(available, "status") == "False" and text(available, "reason") == "NotServing" then
  return is("Degraded", available, "Nothing serves.")
end

if at == "moving" then
  local noted = text(part(metadata, "annotations"), "cutover.dev/promote")
  local phase = text(transition, "phase")
  -- A side that is only held back for a while gets the traffic by itself.
  local settings = part(spec, "configuration")
  local promotion = text(settings, "kubernetes.operator.bluegreen.promotion")
  local held = settings["kubernetes.operator.bluegreen.promotion.hold"] ~= nil
  local manual = promotion == "manual" or (promotion == nil and not held and reason == "AwaitsPromotion")
  local waits = phase == "verifying" or (phase == "draining" and reason == "AwaitsPromotion")
  if text(transition, "from") ~= nil and manual and waits and noted ~= text(transition, "id") then
    return is("Suspended", reconciling, "The new side is ready and waits to be promoted.")
  end
  return is("Progressing", reconciling, "A transition is under way.")
end
if at ~= "active" then return is("Progressing", reconciling or ready, "It is not ready yet.") end
if next(part(status, "aborted")) ~= nil then return is("Degraded", conditions["Promoted"], "The last transition was given up.") end
if reconciling then
  local unwell = { ServingUnhealthy = true, ServingNotReady = true, Failing = true }
  if unwell[reason] then return is("Degraded", reconciling) end
  return is("Progressing", reconciling, "An edit is waited upon.")
end
return is("Healthy", ready, "It serves as specified.")
