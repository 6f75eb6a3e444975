/** Something in which the replay of a recording differs from it, and why that stays. */
export interface StepDifference {
  /** `package/step` of the recordings. */
  readonly step: RegExp;
  /** `Instance/one deploy/first/main`, `pods of StatefulSet/st-node`, `event …`, `refusal`. */
  readonly fact: RegExp;
  /** What there is here; absent: whatever it is. */
  readonly ours?: RegExp;
  /** In short. */
  readonly what: string;
  readonly because: string;
}

const restarts =
  'every parameter restarts pods unless it says `forcePodRestart: false`, and so does a plan that somebody runs; KUDO 0.19 knows only a hash of the ConfigMaps and Secrets that volumes bring';
const ended =
  'pods of a Job that have done their work, and pods that others take the place of, are not missing: KUDO counts them, and such an Instance is never ready again';
const cancelled =
  'a plan that runs can be cancelled: otherwise a stuck one could never be left. The replay then runs it again, to go on from where the recording was';
const adopted =
  'objects are applied by the server, which knows who set what: an annotation that somebody removed takes nothing away';
const legacy = 'an API version that is no longer served is mapped where only the version differs, with a warning';
const job =
  'a Job whose pod template would have to change can never be applied: the plan ends at once and says the way out, where KUDO tries for ever';
const immutable =
  'an immutable value that is no longer given and equals its default stays as it was accepted, so giving it again is no change: KUDO forgets it, and another default of a later version would change it';
const words = 'the same is said in words of our own libraries, or with what to do about it';
const visible = 'an event tells what a webhook would have refused: without a webhook nobody else could';
const briefly = 'a moment on the way, which lasts no longer than the garbage collection of the cluster needs';

/** All of them. A difference that is not listed fails the replay, and so does an entry that no longer occurs. */
export const stepDifferences: readonly StepDifference[] = [
  {
    step: /./,
    fact: /^event \S+ Warning (?:OperatorVersionNotFound|SeveralPlans|UnknownParameter|UnknownPlan|CleanupByUser|InvalidParameters|InvalidParametersOnCreate|ImmutableParameter|BecameImmutable|AddedImmutable|UpgradeWithParameters): /,
    ours: /^told$/,
    what: 'an event tells why a change is refused',
    because: visible,
  },
  {
    step: /./,
    fact: /^Instance\/\S+ Ready$/,
    ours: /^Unknown PlanInProgress: plan \S+ is in progress$/,
    what: 'the condition Ready names the plan that runs',
    because: 'KUDO leaves the message empty',
  },
  {
    step: /^01-configmap\/(?:20-manual-trigger-and-param|32-upgrade-and-manual-plan-denied)$/,
    fact: /^refusal$/,
    ours: /^done one after the other$/,
    what: 'refused by the webhook only; without it, done one after the other',
    because:
      'a controller sees what a specification and `spec.planExecution` say, not that both were written at once: together they are two wishes, of which the specification comes first',
  },
  {
    step: /^01-configmap\/38-last-applied-annotation-removed$/,
    fact: /^(?:ConfigMap\/one-|Instance\/one deploy)/,
    what: 'the plan completes',
    because: adopted,
  },
  {
    step: /^01-configmap\/39-retrigger-after-fatal$/,
    fact: /^ConfigMap\/one-\S+ uid$/,
    what: 'the plan completes',
    because: adopted,
  },
  {
    step: /^02-statefulset\/(?:05-scale|16-running-retrigger-same-cli|17-running-retrigger-new-uid|23-scale-after-upgrade)$/,
    fact: /^pods of StatefulSet\/st-node$/,
    ours: /^\d of another template$/,
    what: 'pods restart',
    because: restarts,
  },
  {
    step: /^02-statefulset\/13-running-cancel-denied$/,
    fact: /^(?:.* uid|pods of .*|event Instance\/st Normal .*)$/,
    what: 'the plan is cancelled',
    because: cancelled,
  },
  {
    step: /^02-statefulset\/19-pod-deleted-while-idle$/,
    fact: /^Instance\/st Ready$/,
    ours: /^False ResourceNotReady: statefulset "st-node" is not healthy: Waiting for 1 pods to be ready\.\.\., pod gold-02\/st-node-0 is not running yet: Pending$/,
    what: 'the StatefulSet waits for its pod, and is told of without a line end',
    because: 'which of its numbers a StatefulSet has brought up to date is a matter of the moment',
  },
  {
    step: /^02-statefulset\/25-delete-with-cleanup$/,
    fact: /^event Instance\/st Normal PlanFinished: Execution of plan cleanup finished with status COMPLETE$/,
    ours: /^told$/,
    what: 'an event tells that the plan cleanup finished',
    because: 'KUDO lets the Instance go without a word',
  },
  {
    step: /^03-deployment\/02-configmap-content$/,
    fact: /^Instance\/dep Ready$/,
    ours: /^True ResourcesReady$/,
    what: 'Ready',
    because: ended,
  },
  {
    step: /^03-deployment\/(?:03-secret-env-only|06-replicas-trigger-deploy|08-update-after-hand-scale|10-update-keeps-restartedAt)$/,
    fact: /^pods of Deployment\/dep-web$/,
    ours: /^\d of another template$/,
    what: 'pods restart',
    because: restarts,
  },
  {
    step: /^03-deployment\/12-delete-no-cleanup$/,
    fact: /^pods of Deployment\/dep-web$/,
    ours: /^$/,
    what: 'the pods are gone together with the Deployment',
    because: briefly,
  },
  {
    step: /^04-job\/(?:01-install|05-failing-job|08-job-template-change-revert)$/,
    fact: /^Instance\/jb Ready$/,
    ours: /^True ResourcesReady$/,
    what: 'Ready',
    because: ended,
  },
  {
    step: /^04-job\/07-job-template-change$/,
    fact: /^(?:Instance\/jb (?:Ready|deploy.*|runs)|event Instance\/jb Warning ResourceValidationError: .*)$/,
    what: 'the plan fails for good',
    because: job,
  },
  {
    step: /^05-cronjob\/04-legacy-v1beta1$/,
    fact: /^(?:CronJob\/cr-old.*|Instance\/cr legacy.*|event Instance\/cr .*)$/,
    what: 'the CronJob is made',
    because: legacy,
  },
  {
    step: /^08-pipe\/0[23]-/,
    fact: /^Pod\/pp\.deploy\.mainphase\.genstep\.generate\.pipepod/,
    what: 'the pod of the Pipe task is gone',
    because: 'a moment on the way: it is being deleted in the recording',
  },
  {
    step: /^08-pipe\/04-absent-file$/,
    fact: /^(?:Instance\/pp absent\/main\/s|event Instance\/pp Warning PipeTaskError: [\s\S]*)$/,
    what: 'without the line end of a terminal',
    because: 'what a command said is shown without the white space at its end',
  },
  {
    step: /^09-parent\/04-both-kid-params-conflict$/,
    fact: /^Instance\/par deploy\/kids\/kid$/,
    ours: /^ERROR: A transient error when executing task deploy\.kids\.kid\.kid\. Will retry\. .*triggering multiple plans: \[\[deploy paint\]\]/,
    what: 'other words',
    because: 'no webhook refuses the change, the child itself does; plans are sorted, and what to do is said',
  },
  {
    step: /^10-strategies\/08-yaml-error$/,
    fact: /^(?:Instance\/sg yaml-error\/one\/bad|event Instance\/sg Warning TaskRenderingError: .*)$/,
    what: 'other words',
    because: words,
  },
  {
    step: /^10-strategies\/09-kind-error$/,
    fact: /^(?:Instance\/sg kind-error\/one\/bad|event Instance\/sg Warning TaskEnhancementError: .*)$/,
    what: 'other words',
    because: 'KUDO prints the Go value of the whole object',
  },
  {
    step: /^10-strategies\/10-invalid-object$/,
    fact: /^Instance\/sg invalid-object\/one\/bad$/,
    ours: /Will retry\. PATCH \S+: ConfigMap "Not A Valid Name" is invalid: metadata\.name: /,
    what: 'the request is named before the words of the server',
    because: words,
  },
  {
    step: /^11-parameters\/32-immutable-removed$/,
    fact: /^(?:.* uid|Instance\/pm parameters|event Instance\/pm Normal Plan.*)$/,
    what: 'nothing changes, and no plan runs',
    because: immutable,
  },
  {
    step: /^11-parameters\/(?:33-immutable-added-again-default|35-two-errors)$/,
    fact: /^refusal$/,
    what: 'no change, or a change from the value that is kept',
    because: immutable,
  },
  {
    step: /^11-parameters\/39-gone-set-first$/,
    fact: /^Instance\/pm parameters$/,
    ours: /"FIXED":"f0"/,
    what: 'the value is still there',
    because: immutable,
  },
  {
    step: /^11-parameters\/4[01]-/,
    fact: /^Instance\/pm parameters$/,
    ours: /"GONE":"set"/,
    what: 'the value of a parameter that the upgrade removed is still there',
    because: "the specification is its author's; no template sees the value",
  },
  {
    step: /^12-templates\/04-none-set$/,
    fact: /^(?:Instance\/tp deploy\/main\/control|event Instance\/tp Warning TaskRenderingError: [\s\S]*)$/,
    what: 'other words',
    because: words,
  },
  {
    step: /^15-template-errors\/(?:03-boolname|12-intdata)$/,
    fact: /^Instance\/te\S* e-(?:boolname|intdata)\/main\/s$/,
    ours: /^ERROR: A transient error .* Will retry\. PATCH \S+: failed to create typed patch object /,
    what: 'refused in the words of the server',
    because: "KUDO's Go types refuse a wrong type before the server is asked, in words that do not name the field",
  },
];
