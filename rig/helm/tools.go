//go:build tools

// Package tools pins Helm: nothing is compiled from here.
package tools

import _ "helm.sh/helm/v4/cmd/helm"
