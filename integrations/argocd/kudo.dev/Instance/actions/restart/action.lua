-- Runs plan deploy, which restarts the pods of all that it applies, as `cutover restart` does. Lua 5.1 without libraries.
obj.spec.planExecution = { planName = "deploy", uid = "argocd-" .. os.time() }
return obj
