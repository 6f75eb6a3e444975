-- Ends the plan that runs, and no later one, as `cutover abort` does. Lua 5.1 without libraries.
obj.spec.planExecution = { planName = "", uid = obj.status.execution.uid }
return obj
