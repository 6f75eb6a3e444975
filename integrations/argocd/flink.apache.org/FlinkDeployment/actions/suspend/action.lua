-- Stops the job and keeps its state, as `cutover suspend` does. Lua 5.1 without libraries.
obj.spec.job.state = "suspended"
return obj
