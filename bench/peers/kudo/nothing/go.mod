// Stands in for a module whose home is gone. No package of it is compiled into the manager.
module vbom.ml/util
