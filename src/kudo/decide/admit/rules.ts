/** Why a change of an Instance is refused. */
export interface Rule {
  /** For the reference: what was asked for. */
  readonly when: string;
  /** What is said, as KUDO says it; words in braces are filled in. */
  readonly text: string;
  /** What to do instead, said after the text. Absent: the text says it. */
  readonly wayOut?: string;
}

const update = 'failed to update Instance {instance}: ';
const create = 'failed to create an Instance {instance}: ';
const immutable = 'failed to check immutable parameters for Instance {instance}: ';

/**
 * All refusals, by the name that conditions carry as their reason. Their order here is that of the reference; which of
 * several is said is decided in `admit`.
 */
export const rules = {
  OperatorVersionNotFound: {
    when: '`spec.operatorVersion` names an OperatorVersion that does not exist.',
    text: 'operatorversions.kudo.dev "{version}" not found',
    wayOut: 'install the package in namespace {namespace}, or name one of its versions in spec.operatorVersion.name',
  },
  OperatorVersionNotReadable: {
    when: '`spec.operatorVersion` names an OperatorVersion of a namespace in which the operator may not read it.',
    text: 'operatorversions.kudo.dev "{version}" cannot be read in namespace {namespace}',
    wayOut:
      'let the operator get, list and watch operatorversions.kudo.dev there, or install the package in the namespace of the Instance',
  },
  NoDeployPlan: {
    when: 'A new Instance of a version without a plan `deploy`.',
    text: `${create}couldn't find 'deploy' plan in the operatorVersion`,
    wayOut: 'every package needs a plan deploy',
  },
  InvalidParametersOnCreate: {
    when: 'A new Instance with a value that has not the type of its parameter, is none of its enum, or is missing.',
    text: `${create}parameters are not valid: {problem}`,
  },
  UnknownPlan: {
    when: '`spec.planExecution.planName` names a plan that the version does not have.',
    text: 'plan {plan} does not exist',
    wayOut: 'the plans are {plans}',
  },
  UnknownParameter: {
    when: 'A value is set or changed for a parameter that the version does not have. On creation it is accepted.',
    text: `${update}failed to find parameter {parameter} in the OperatorVersion`,
    wayOut: 'take it out of spec.parameters, or correct its name',
  },
  ImmutableParameter: {
    when: 'The value of an immutable parameter is changed, or removed, without an upgrade.',
    text: `${immutable}parameter '{parameter}' is immutable but was changed from '{from}' to '{to}'`,
    wayOut: 'set it back',
  },
  BecameImmutable: {
    when: 'An upgrade to a version in which a parameter has become immutable, without a value for it.',
    text: `${immutable}parameter '{parameter}' was changed to immutable in operator version {version} but no value was provided`,
    wayOut: 'set it in spec.parameters; it cannot be changed later',
  },
  AddedImmutable: {
    when: 'An upgrade to a version that adds an immutable parameter, without a value for it.',
    text: `${immutable}parameter '{parameter}' was added in operator version {version}, but no value was provided{default}`,
    wayOut: 'set it in spec.parameters; it cannot be changed later',
  },
  InvalidParameters: {
    when: 'A value has not the type of its parameter, is none of its enum, or is missing.',
    text: 'failed to validate parameters for Instance {instance}: {problem}',
  },
  UndefinedTrigger: {
    when: 'A changed parameter triggers a plan that the version does not have.',
    text: `${update}param {parameter} defined trigger plan {plan}, but plan not defined in operatorversion`,
    wayOut: 'the package is wrong: set the parameter back until it has been corrected',
  },
  SeveralPlans: {
    when: 'Changed parameters trigger different plans.',
    text: `${update}triggering multiple plans: [[{plans}]] at once is not allowed`,
    wayOut: 'change the parameters one after the other ({triggers})',
  },
  NoPlanToRun: {
    when: 'A changed parameter triggers no plan, and the version has neither a plan `update` nor a plan `deploy`.',
    text: `${update}couldn't find any plans that would be triggered by the update`,
    wayOut: 'every package needs a plan deploy',
  },
  CleanupIsFinal: {
    when: 'The Instance is being deleted, and its plan `cleanup` is to be cancelled or replaced.',
    text: `${update}'cleanup' plan can not be cancelled or overridden by another plan since the instance is being deleted`,
    wayOut: 'to let the Instance go without it, remove the finalizer kudo.dev.instance.cleanup',
  },
  ChangedWhileDeleted: {
    when: 'The Instance is being deleted, and its parameters or its version are changed.',
    text: `${update}parameter update and/or upgrade is not allowed when an instance is being deleted`,
    wayOut: 'create it anew once it is gone',
  },
  PlanWhileDeleted: {
    when: 'The Instance is being deleted, and a plan is triggered.',
    text: `${update}only 'cleanup' plan can be scheduled when an instance is being deleted`,
    wayOut: 'create it anew once it is gone',
  },
  UpgradeWithPlan: {
    when: 'An upgrade, and a plan is triggered in the same write.',
    text: `${update}upgrade to new OperatorVersion {reference} and triggering new plan '{plan}' is not allowed`,
    wayOut: 'upgrade first, then trigger the plan',
  },
  UpgradeWithParameters: {
    when: 'An upgrade, and a changed parameter triggers another plan than `deploy`.',
    text: `${update}upgrade to new OperatorVersion {reference} together with a parameter update triggering '{plan}' is not allowed`,
    wayOut: 'upgrade first, then change {parameters}',
  },
  NoUpgradePlan: {
    when: 'An upgrade to a version that has none of the plans `upgrade`, `update` and `deploy`.',
    text: `${update}couldn't find any suitable plan that would be triggered by an OperatorVersion upgrade`,
    wayOut: 'every package needs a plan deploy',
  },
  PlanWithParameters: {
    when: 'A plan is triggered, and parameters are changed in the same write.',
    text: `${update}triggering one plan '{plan}' directly and through parameter update '{triggered}' is not allowed`,
    wayOut: 'change {parameters} first, then trigger the plan',
  },
  CleanupByUser: {
    when: 'The plan `cleanup` is triggered.',
    text: `${update}only the controller schedules the 'cleanup' plan when the instance is deleted`,
    wayOut: 'delete the Instance to run it',
  },
} as const satisfies Readonly<Record<string, Rule>>;

export type Reason = keyof typeof rules;
