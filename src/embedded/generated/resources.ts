// Generated from a Kubernetes API server by `npm run rig -- generate`. Do not edit.
export const resources = [
 {
  "group": "",
  "version": "v1",
  "kind": "ConfigMap",
  "plural": "configmaps",
  "singular": "configmap",
  "namespaced": true,
  "shortNames": [
   "cm"
  ],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": []
 },
 {
  "group": "",
  "version": "v1",
  "kind": "Endpoints",
  "plural": "endpoints",
  "singular": "endpoints",
  "namespaced": true,
  "shortNames": [
   "ep"
  ],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": []
 },
 {
  "group": "",
  "version": "v1",
  "kind": "Event",
  "plural": "events",
  "singular": "event",
  "namespaced": true,
  "shortNames": [
   "ev"
  ],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": []
 },
 {
  "group": "",
  "version": "v1",
  "kind": "LimitRange",
  "plural": "limitranges",
  "singular": "limitrange",
  "namespaced": true,
  "shortNames": [
   "limits"
  ],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": []
 },
 {
  "group": "",
  "version": "v1",
  "kind": "Namespace",
  "plural": "namespaces",
  "singular": "namespace",
  "namespaced": false,
  "shortNames": [
   "ns"
  ],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": [
   {
    "name": "finalize",
    "group": "",
    "version": "v1",
    "kind": "Namespace",
    "verbs": [
     "update"
    ]
   },
   {
    "name": "status",
    "group": "",
    "version": "v1",
    "kind": "Namespace",
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ]
 },
 {
  "group": "",
  "version": "v1",
  "kind": "Node",
  "plural": "nodes",
  "singular": "node",
  "namespaced": false,
  "shortNames": [
   "no"
  ],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": [
   {
    "name": "status",
    "group": "",
    "version": "v1",
    "kind": "Node",
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ]
 },
 {
  "group": "",
  "version": "v1",
  "kind": "PersistentVolumeClaim",
  "plural": "persistentvolumeclaims",
  "singular": "persistentvolumeclaim",
  "namespaced": true,
  "shortNames": [
   "pvc"
  ],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": [
   {
    "name": "status",
    "group": "",
    "version": "v1",
    "kind": "PersistentVolumeClaim",
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ]
 },
 {
  "group": "",
  "version": "v1",
  "kind": "PersistentVolume",
  "plural": "persistentvolumes",
  "singular": "persistentvolume",
  "namespaced": false,
  "shortNames": [
   "pv"
  ],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": [
   {
    "name": "status",
    "group": "",
    "version": "v1",
    "kind": "PersistentVolume",
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ]
 },
 {
  "group": "",
  "version": "v1",
  "kind": "Pod",
  "plural": "pods",
  "singular": "pod",
  "namespaced": true,
  "shortNames": [
   "po"
  ],
  "categories": [
   "all"
  ],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": [
   {
    "name": "binding",
    "group": "",
    "version": "v1",
    "kind": "Binding",
    "verbs": [
     "create"
    ]
   },
   {
    "name": "eviction",
    "group": "policy",
    "version": "v1",
    "kind": "Eviction",
    "verbs": [
     "create"
    ]
   },
   {
    "name": "exec",
    "group": "",
    "version": "v1",
    "kind": "PodExecOptions",
    "verbs": [
     "create",
     "get"
    ]
   },
   {
    "name": "log",
    "group": "",
    "version": "v1",
    "kind": "Pod",
    "verbs": [
     "get"
    ]
   },
   {
    "name": "proxy",
    "group": "",
    "version": "v1",
    "kind": "PodProxyOptions",
    "verbs": [
     "create",
     "delete",
     "get",
     "patch",
     "update"
    ]
   },
   {
    "name": "status",
    "group": "",
    "version": "v1",
    "kind": "Pod",
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ]
 },
 {
  "group": "",
  "version": "v1",
  "kind": "PodTemplate",
  "plural": "podtemplates",
  "singular": "podtemplate",
  "namespaced": true,
  "shortNames": [],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": []
 },
 {
  "group": "",
  "version": "v1",
  "kind": "ResourceQuota",
  "plural": "resourcequotas",
  "singular": "resourcequota",
  "namespaced": true,
  "shortNames": [
   "quota"
  ],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": [
   {
    "name": "status",
    "group": "",
    "version": "v1",
    "kind": "ResourceQuota",
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ]
 },
 {
  "group": "",
  "version": "v1",
  "kind": "Secret",
  "plural": "secrets",
  "singular": "secret",
  "namespaced": true,
  "shortNames": [],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": []
 },
 {
  "group": "",
  "version": "v1",
  "kind": "ServiceAccount",
  "plural": "serviceaccounts",
  "singular": "serviceaccount",
  "namespaced": true,
  "shortNames": [
   "sa"
  ],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": [
   {
    "name": "token",
    "group": "authentication.k8s.io",
    "version": "v1",
    "kind": "TokenRequest",
    "verbs": [
     "create"
    ]
   }
  ]
 },
 {
  "group": "",
  "version": "v1",
  "kind": "Service",
  "plural": "services",
  "singular": "service",
  "namespaced": true,
  "shortNames": [
   "svc"
  ],
  "categories": [
   "all"
  ],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": [
   {
    "name": "proxy",
    "group": "",
    "version": "v1",
    "kind": "ServiceProxyOptions",
    "verbs": [
     "create",
     "delete",
     "get",
     "patch",
     "update"
    ]
   },
   {
    "name": "status",
    "group": "",
    "version": "v1",
    "kind": "Service",
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ]
 },
 {
  "group": "apps",
  "version": "v1",
  "kind": "ControllerRevision",
  "plural": "controllerrevisions",
  "singular": "controllerrevision",
  "namespaced": true,
  "shortNames": [],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": []
 },
 {
  "group": "apps",
  "version": "v1",
  "kind": "DaemonSet",
  "plural": "daemonsets",
  "singular": "daemonset",
  "namespaced": true,
  "shortNames": [
   "ds"
  ],
  "categories": [
   "all"
  ],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": [
   {
    "name": "status",
    "group": "apps",
    "version": "v1",
    "kind": "DaemonSet",
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ]
 },
 {
  "group": "apps",
  "version": "v1",
  "kind": "Deployment",
  "plural": "deployments",
  "singular": "deployment",
  "namespaced": true,
  "shortNames": [
   "deploy"
  ],
  "categories": [
   "all"
  ],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": [
   {
    "name": "scale",
    "group": "autoscaling",
    "version": "v1",
    "kind": "Scale",
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   },
   {
    "name": "status",
    "group": "apps",
    "version": "v1",
    "kind": "Deployment",
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ]
 },
 {
  "group": "apps",
  "version": "v1",
  "kind": "ReplicaSet",
  "plural": "replicasets",
  "singular": "replicaset",
  "namespaced": true,
  "shortNames": [
   "rs"
  ],
  "categories": [
   "all"
  ],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": [
   {
    "name": "scale",
    "group": "autoscaling",
    "version": "v1",
    "kind": "Scale",
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   },
   {
    "name": "status",
    "group": "apps",
    "version": "v1",
    "kind": "ReplicaSet",
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ]
 },
 {
  "group": "apps",
  "version": "v1",
  "kind": "StatefulSet",
  "plural": "statefulsets",
  "singular": "statefulset",
  "namespaced": true,
  "shortNames": [
   "sts"
  ],
  "categories": [
   "all"
  ],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": [
   {
    "name": "scale",
    "group": "autoscaling",
    "version": "v1",
    "kind": "Scale",
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   },
   {
    "name": "status",
    "group": "apps",
    "version": "v1",
    "kind": "StatefulSet",
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ]
 },
 {
  "group": "events.k8s.io",
  "version": "v1",
  "kind": "Event",
  "plural": "events",
  "singular": "event",
  "namespaced": true,
  "shortNames": [
   "ev"
  ],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": []
 },
 {
  "group": "authentication.k8s.io",
  "version": "v1",
  "kind": "SelfSubjectReview",
  "plural": "selfsubjectreviews",
  "singular": "selfsubjectreview",
  "namespaced": false,
  "shortNames": [],
  "categories": [],
  "verbs": [
   "create"
  ],
  "subresources": []
 },
 {
  "group": "authentication.k8s.io",
  "version": "v1",
  "kind": "TokenReview",
  "plural": "tokenreviews",
  "singular": "tokenreview",
  "namespaced": false,
  "shortNames": [],
  "categories": [],
  "verbs": [
   "create"
  ],
  "subresources": []
 },
 {
  "group": "authorization.k8s.io",
  "version": "v1",
  "kind": "LocalSubjectAccessReview",
  "plural": "localsubjectaccessreviews",
  "singular": "localsubjectaccessreview",
  "namespaced": true,
  "shortNames": [],
  "categories": [],
  "verbs": [
   "create"
  ],
  "subresources": []
 },
 {
  "group": "authorization.k8s.io",
  "version": "v1",
  "kind": "SelfSubjectAccessReview",
  "plural": "selfsubjectaccessreviews",
  "singular": "selfsubjectaccessreview",
  "namespaced": false,
  "shortNames": [],
  "categories": [],
  "verbs": [
   "create"
  ],
  "subresources": []
 },
 {
  "group": "authorization.k8s.io",
  "version": "v1",
  "kind": "SelfSubjectRulesReview",
  "plural": "selfsubjectrulesreviews",
  "singular": "selfsubjectrulesreview",
  "namespaced": false,
  "shortNames": [],
  "categories": [],
  "verbs": [
   "create"
  ],
  "subresources": []
 },
 {
  "group": "authorization.k8s.io",
  "version": "v1",
  "kind": "SubjectAccessReview",
  "plural": "subjectaccessreviews",
  "singular": "subjectaccessreview",
  "namespaced": false,
  "shortNames": [],
  "categories": [],
  "verbs": [
   "create"
  ],
  "subresources": []
 },
 {
  "group": "autoscaling",
  "version": "v2",
  "kind": "HorizontalPodAutoscaler",
  "plural": "horizontalpodautoscalers",
  "singular": "horizontalpodautoscaler",
  "namespaced": true,
  "shortNames": [
   "hpa"
  ],
  "categories": [
   "all"
  ],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": [
   {
    "name": "status",
    "group": "autoscaling",
    "version": "v2",
    "kind": "HorizontalPodAutoscaler",
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ]
 },
 {
  "group": "autoscaling",
  "version": "v1",
  "kind": "HorizontalPodAutoscaler",
  "plural": "horizontalpodautoscalers",
  "singular": "horizontalpodautoscaler",
  "namespaced": true,
  "shortNames": [
   "hpa"
  ],
  "categories": [
   "all"
  ],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": [
   {
    "name": "status",
    "group": "autoscaling",
    "version": "v1",
    "kind": "HorizontalPodAutoscaler",
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ]
 },
 {
  "group": "batch",
  "version": "v1",
  "kind": "CronJob",
  "plural": "cronjobs",
  "singular": "cronjob",
  "namespaced": true,
  "shortNames": [
   "cj"
  ],
  "categories": [
   "all"
  ],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": [
   {
    "name": "status",
    "group": "batch",
    "version": "v1",
    "kind": "CronJob",
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ]
 },
 {
  "group": "batch",
  "version": "v1",
  "kind": "Job",
  "plural": "jobs",
  "singular": "job",
  "namespaced": true,
  "shortNames": [],
  "categories": [
   "all"
  ],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": [
   {
    "name": "status",
    "group": "batch",
    "version": "v1",
    "kind": "Job",
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ]
 },
 {
  "group": "networking.k8s.io",
  "version": "v1",
  "kind": "IngressClass",
  "plural": "ingressclasses",
  "singular": "ingressclass",
  "namespaced": false,
  "shortNames": [],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": []
 },
 {
  "group": "networking.k8s.io",
  "version": "v1",
  "kind": "Ingress",
  "plural": "ingresses",
  "singular": "ingress",
  "namespaced": true,
  "shortNames": [
   "ing"
  ],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": [
   {
    "name": "status",
    "group": "networking.k8s.io",
    "version": "v1",
    "kind": "Ingress",
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ]
 },
 {
  "group": "networking.k8s.io",
  "version": "v1",
  "kind": "NetworkPolicy",
  "plural": "networkpolicies",
  "singular": "networkpolicy",
  "namespaced": true,
  "shortNames": [
   "netpol"
  ],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": []
 },
 {
  "group": "policy",
  "version": "v1",
  "kind": "PodDisruptionBudget",
  "plural": "poddisruptionbudgets",
  "singular": "poddisruptionbudget",
  "namespaced": true,
  "shortNames": [
   "pdb"
  ],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": [
   {
    "name": "status",
    "group": "policy",
    "version": "v1",
    "kind": "PodDisruptionBudget",
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ]
 },
 {
  "group": "rbac.authorization.k8s.io",
  "version": "v1",
  "kind": "ClusterRoleBinding",
  "plural": "clusterrolebindings",
  "singular": "clusterrolebinding",
  "namespaced": false,
  "shortNames": [],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": []
 },
 {
  "group": "rbac.authorization.k8s.io",
  "version": "v1",
  "kind": "ClusterRole",
  "plural": "clusterroles",
  "singular": "clusterrole",
  "namespaced": false,
  "shortNames": [],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": []
 },
 {
  "group": "rbac.authorization.k8s.io",
  "version": "v1",
  "kind": "RoleBinding",
  "plural": "rolebindings",
  "singular": "rolebinding",
  "namespaced": true,
  "shortNames": [],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": []
 },
 {
  "group": "rbac.authorization.k8s.io",
  "version": "v1",
  "kind": "Role",
  "plural": "roles",
  "singular": "role",
  "namespaced": true,
  "shortNames": [],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": []
 },
 {
  "group": "storage.k8s.io",
  "version": "v1",
  "kind": "StorageClass",
  "plural": "storageclasses",
  "singular": "storageclass",
  "namespaced": false,
  "shortNames": [
   "sc"
  ],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": []
 },
 {
  "group": "admissionregistration.k8s.io",
  "version": "v1",
  "kind": "MutatingWebhookConfiguration",
  "plural": "mutatingwebhookconfigurations",
  "singular": "mutatingwebhookconfiguration",
  "namespaced": false,
  "shortNames": [],
  "categories": [
   "api-extensions"
  ],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": []
 },
 {
  "group": "admissionregistration.k8s.io",
  "version": "v1",
  "kind": "ValidatingWebhookConfiguration",
  "plural": "validatingwebhookconfigurations",
  "singular": "validatingwebhookconfiguration",
  "namespaced": false,
  "shortNames": [],
  "categories": [
   "api-extensions"
  ],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": []
 },
 {
  "group": "apiextensions.k8s.io",
  "version": "v1",
  "kind": "CustomResourceDefinition",
  "plural": "customresourcedefinitions",
  "singular": "customresourcedefinition",
  "namespaced": false,
  "shortNames": [
   "crd",
   "crds"
  ],
  "categories": [
   "api-extensions"
  ],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": [
   {
    "name": "status",
    "group": "apiextensions.k8s.io",
    "version": "v1",
    "kind": "CustomResourceDefinition",
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ]
 },
 {
  "group": "scheduling.k8s.io",
  "version": "v1",
  "kind": "PriorityClass",
  "plural": "priorityclasses",
  "singular": "priorityclass",
  "namespaced": false,
  "shortNames": [
   "pc"
  ],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": []
 },
 {
  "group": "coordination.k8s.io",
  "version": "v1",
  "kind": "Lease",
  "plural": "leases",
  "singular": "lease",
  "namespaced": true,
  "shortNames": [],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": []
 },
 {
  "group": "discovery.k8s.io",
  "version": "v1",
  "kind": "EndpointSlice",
  "plural": "endpointslices",
  "singular": "endpointslice",
  "namespaced": true,
  "shortNames": [],
  "categories": [],
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "subresources": []
 }
] as const;
