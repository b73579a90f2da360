import type { MemberSession, SignupRequest } from '@tidings/contracts/auth'
import { limits } from '@tidings/contracts/limits'
import { createMember, findMember, type MemberService, readCustomFields } from '#features/members/index.ts'
import type { PlanService } from '#features/plans/index.ts'
import type { RateLimits } from '#http/rate-limits.ts'
import { CaptchaUnavailableError, type CaptchaVerifier } from '#integrations/captcha/captcha-verifier.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Db } from '#platform/database.ts'
import { mailboxOf } from '#platform/email-address.ts'
import { fail } from '#platform/errors.ts'
import { cleanJsonObject } from '#platform/free-json.ts'
import type { Ids } from '#platform/ids.ts'
import type { PlanDefinition } from '#platform/membership-apps/app-config.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { Passwords } from '#platform/passwords/passwords.ts'
import { EmailInUseError, InvalidCaptchaError } from '../auth.errors.ts'
import type { Caller } from '../caller.ts'
import type { CodeService } from '../codes/codes.service.ts'
import { readEmail, readNewPassword } from '../credentials.ts'
import type { KnownSources } from '../known-sources.ts'
import { toSessionReply } from '../session-reply.ts'
import type { SessionService } from '../sessions/sessions.service.ts'

type Deps = {
  database: Database
  passwords: Passwords
  members: MemberService
  plans: PlanService
  sessions: SessionService
  sources: KnownSources
  codes: CodeService
  rateLimits: RateLimits
  /** Null when no captcha is configured. */
  captcha: CaptchaVerifier | null
  clock: Clock
  ids: Ids
}

/** What somebody brings along who signs up, however they prove who they are. */
export type Application = {
  email: string
  /** Whether they have proved that the address is theirs. */
  verified: boolean
  passwordHash: string | null
  customFields: object
  metaData: object
  plans: readonly PlanDefinition[]
}

export type SignupService = {
  /** Signing up with a password; throws `email-already-in-use`. A mail asks to verify the address. */
  byPassword(app: MembershipApp, request: SignupRequest, caller: Caller): Promise<MemberSession>
  /** Returns whether a token is the solution of the site's captcha; false if there is neither. */
  isCaptchaSolved(token: string | null | undefined, caller: Caller): Promise<boolean>
  /** What is taken of a request to sign up besides the proof of who it is; throws for what cannot be kept. */
  readApplication(
    app: MembershipApp,
    request: Pick<SignupRequest, 'customFields' | 'metaData' | 'plans' | 'rewardfulData'>,
  ): Pick<Application, 'customFields' | 'metaData' | 'plans'>
  /** Makes the account, in the caller's transaction; null when the address has one. */
  create(tx: Db, app: MembershipApp, application: Application, caller: Caller): Promise<string | null>
}

/** Signing up. Its request names no right of any kind, so none can be taken with it. */
export function createSignupService(deps: Deps): SignupService {
  const { database, passwords, members, plans, sessions, sources, codes, rateLimits, captcha, clock, ids } =
    deps

  async function isCaptchaSolved(token: string | null | undefined, { ip }: Caller): Promise<boolean> {
    if (captcha === null || token == null || token === '') return false
    return await captcha.verify(token, ip).catch((error: unknown) => {
      throw error instanceof CaptchaUnavailableError ? fail('service-unavailable', error) : error
    })
  }

  function readApplication(
    app: MembershipApp,
    request: Pick<SignupRequest, 'customFields' | 'metaData' | 'plans' | 'rewardfulData'>,
  ): Pick<Application, 'customFields' | 'metaData' | 'plans'> {
    const { rewardfulData } = request
    const metaData = { ...request.metaData, ...(rewardfulData == null ? {} : { rewardful: rewardfulData }) }
    return {
      customFields: readCustomFields(app.customFields, request.customFields ?? {}),
      metaData: cleanJsonObject(metaData, { what: 'metaData', maxBytes: limits.metaDataBytes }),
      plans: plans.chooseFree(
        app,
        (request.plans ?? []).map(({ planId }) => planId),
      ),
    }
  }

  async function create(
    tx: Db,
    app: MembershipApp,
    application: Application,
    caller: Caller,
  ): Promise<string | null> {
    const { plans: chosen, ...member } = application
    const id = ids.public('mem')
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
    async byPassword(app, request, caller) {
      const email = readEmail(request.email)
      const password = readNewPassword(request.password)
      const application = readApplication(app, request)
      await rateLimits.consume('signups', caller.ip)
      const source = await sources.find(database.db, { appId: app.id, email }, caller)
      await sources.countTry(`${app.id} signup ${mailboxOf(email)}`, source)
      const needsCaptcha = captcha !== null && app.captcha !== false
      if (needsCaptcha && !(await isCaptchaSolved(request.captchaToken, caller)))
        throw new InvalidCaptchaError()

      const passwordHash = await passwords.hash(password)
      return await database.transaction(async (tx) => {
        const id = await create(tx, app, { ...application, email, verified: false, passwordHash }, caller)
        if (id === null) throw new EmailInUseError()
        await codes.request(tx, app, { purpose: 'verification', email }, caller)
        const session = await sessions.begin(tx, app, id, { caller })
        const row = await findMember(tx, id)
        if (session === null || row === null) throw new Error('A member was made and is not there')
        return toSessionReply(members, app, row, session)
      })
    },
  }
}
