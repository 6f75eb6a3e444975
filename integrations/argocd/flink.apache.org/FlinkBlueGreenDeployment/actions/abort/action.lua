-- Gives the transition up before traffic moves, as `cutover abort` does. Lua 5.1 without libraries.
--
-- It says so to this very transition: a later one is never meant.
if type(obj.metadata.annotations) ~= "table" then obj.metadata.annotations = {} end
obj.metadata.annotations["cutover.dev/rollback"] = obj.status.transition.id
return obj
