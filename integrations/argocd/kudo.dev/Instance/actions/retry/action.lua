-- Runs the plan again that failed or was stopped, as `cutover retry` does. Lua 5.1 without libraries.
local status = obj.status
local last = type(status.history) == "table" and status.history[1] or nil
if last == nil then
  for name, plan in pairs(status.planStatus or {}) do
    if plan.status == "FATAL_ERROR" then last = { plan = name } end
  end
end
local letter = { planName = last.plan, uid = "argocd-" .. os.time() }
-- Pods that had no reason to restart have none now.
if not (last.cause == "trigger" and last.restartUID ~= nil) then letter.restart = false end
obj.spec.planExecution = letter
return obj
