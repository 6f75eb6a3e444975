module peers.invalid/kudo

// As KUDO's own says, so that Go's switches for older programs are set as upstream's builds set them.
go 1.15

require github.com/kudobuilder/kudo v0.19.0

replace vbom.ml/util => ./nothing
