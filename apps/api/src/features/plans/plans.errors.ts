import { AppError } from '#platform/errors.ts'

/** The app has no plan of this id, or offers it no more. */
export class PlanNotFoundError extends AppError {
  constructor() {
    super('plan-not-found', 404, 'There is no such plan.')
  }
}

/** A plan that costs something comes through checkout, and goes with its payments. */
export class PlanNotFreeError extends AppError {
  constructor(message = 'This plan is paid for. Please subscribe to it through checkout.') {
    super('plan-not-free', 400, message)
  }
}

/** Only the site's own people give this plan. */
export class PlanRestrictedError extends AppError {
  constructor() {
    super('plan-restricted-to-admin', 403, 'This plan cannot be chosen. Please write to us if you need it.')
  }
}

/** As many members as may hold the plan do. */
export class PlanFullError extends AppError {
  constructor() {
    super('plan-member-limit-reached', 409, 'This plan has no place left.')
  }
}

/** The member holds the plan already. */
export class AlreadyHavePlanError extends AppError {
  constructor() {
    super('already-have-plan', 409, 'You have this plan already.')
  }
}

/** The member does not hold the plan. */
export class NoPlanFoundError extends AppError {
  constructor() {
    super('no-plan-found', 404, 'You do not have this plan.')
  }
}
