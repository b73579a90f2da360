import { limits } from '@tidings/contracts/limits'
import type { MemberSession, SignupRequest } from '@tidings/contracts/membership/auth'
import { createMember, memberIdPrefix, readCustomFields } from '#features/members/index.ts'
import type { PlanService } from '#features/plans/index.ts'
import { CaptchaUnavailableError, type CaptchaVerifier } from '#integrations/captcha/captcha-verifier.ts'
import type { Db } from '#platform/database.ts'
import { fail as failUnavailable } from '#platform/errors.ts'
import { cleanJsonObject } from '#platform/free-json.ts'
import type { PlanDefinition } from '#platform/membership-apps/app-config.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { mailboxOf } from '#platform/text/email-address.ts'
import type { AuthDeps } from '../auth.deps.ts'
import { fail } from '../auth.errors.ts'
import { type Caller, hashSourceOf, type KnownSources } from '../caller.ts'
import type { CodeService } from '../codes/codes.service.ts'
import { readEmail, readNewPassword, requireReachable } from '../credentials.ts'
import { logIn, type SessionService } from '../sessions/sessions.service.ts'

type Deps = Pick<AuthDeps, 'database' | 'passwords' | 'rateLimits' | 'mailServers' | 'clock' | 'ids'> & {
  plans: PlanService
  sessions: SessionService
  sources: KnownSources
  codes: CodeService
  /** Null if no captcha is configured. */
  captcha: CaptchaVerifier | null
}

/** The parts of a sign-up request besides the login itself, checked and cleaned. */
type Application = { customFields: object; metaData: object; plans: readonly PlanDefinition[] }

type Applicant = Application & { email: string; verified: boolean; passwordHash: string | null }

export type SignupService = ReturnType<typeof createSignupService>

/** Creates accounts. A sign-up request carries no permissions, so a visitor can't gain any with it. */
export function createSignupService(deps: Deps) {
  const { database, passwords, plans, sources, codes, rateLimits, captcha, clock, ids } = deps

  /** Returns whether a token solves the site's captcha; false if there is no token or no captcha. */
  async function isCaptchaSolved(token: string | null | undefined, { ip }: Caller): Promise<boolean> {
    if (captcha === null || !token) return false
    return await captcha.verify(token, ip).catch((error: unknown) => {
      throw error instanceof CaptchaUnavailableError ? failUnavailable('service-unavailable', error) : error
    })
  }

  /** Throws for fields, plans and data that cannot be stored. */
  function readApplication(
    app: MembershipApp,
    request: Pick<SignupRequest, 'customFields' | 'metaData' | 'plans' | 'rewardfulData'>,
  ): Application {
    const { rewardfulData } = request
    const metaData = { ...request.metaData, ...(rewardfulData == null ? {} : { rewardful: rewardfulData }) }
    const planIds = (request.plans ?? []).map(({ planId }) => planId)
    return {
      customFields: readCustomFields(app.customFields, request.customFields ?? {}),
      metaData: cleanJsonObject(metaData, { what: 'metaData', maxBytes: limits.metaDataBytes }),
      plans: plans.chooseFree(app, planIds),
    }
  }

  /** Creates the account in the caller's transaction and returns its id; null if the address has one. */
  async function create(
    tx: Db,
    app: MembershipApp,
    { plans: chosen, ...member }: Applicant,
    caller: Caller,
  ): Promise<string | null> {
    const id = ids.public(memberIdPrefix)
    const now = clock.now()
    const terms = { termsAcceptedAt: now, termsOrigin: caller.origin }
    if (!(await createMember(tx, { ...member, ...terms, id, appId: app.id, createdAt: now }))) return null
    await plans.connectFree(tx, app, id, chosen)
    return id
  }

  return {
    isCaptchaSolved,
    readApplication,
    create,
    /** Signs up with a password and emails a verification code; throws `email-already-in-use`. */
    async byPassword(app: MembershipApp, request: SignupRequest, caller: Caller): Promise<MemberSession> {
      const email = readEmail(request.email)
      const password = readNewPassword(request.password)
      const application = readApplication(app, request)
      await rateLimits.consume('signups', caller.ip)
      await requireReachable(database.db, deps.mailServers, email)
      const needsCaptcha = captcha !== null && app.captcha !== false
      if (needsCaptcha && !(await isCaptchaSolved(request.captchaToken, caller)))
        throw fail('invalid-captcha')
      // After the captcha, so that no network uses up the sign-ups of a mailbox without solving one.
      const source = await sources.find(database.db, { appId: app.id, email }, caller)
      await sources.countTry(`${app.id} signup ${mailboxOf(email)}`, source)

      const passwordHash = await passwords.hash(password, hashSourceOf(caller, source))
      return await database.transaction(async (tx) => {
        const memberId = await create(
          tx,
          app,
          { ...application, email, verified: false, passwordHash },
          caller,
        )
        if (memberId === null) throw fail('email-already-in-use')
        await codes.request(tx, app, { purpose: 'verification', email }, caller)
        const session = await logIn(tx, deps, app, { memberId, caller })
        if (session === null) throw new Error('Created member not found')
        return session
      })
    },
  }
}
