import type { MembershipClient } from '@tidings/client'
import type { MemberSession } from '@tidings/contracts/membership/auth'
import * as z from 'zod/mini'
import { errorCode } from '#lib/api/error-text.ts'
import { parseJson } from '#lib/api/json.ts'
import type { Store } from '#lib/storage/store.ts'

const pendingSchema = z.object({ name: z.string(), email: z.string(), phone: z.string() })

/** The details that a sign-up still has to save once the account exists. It never contains the password. */
export type PendingSignUp = z.infer<typeof pendingSchema>

/** `captchaToken` is null where sign-up asks for no captcha. */
type NewCredentials = { password: string; captchaToken: string | null }

const pendingKey = 'tidings:sign-up'

/** Returns the sign-up that this tab has started and not finished; null without one. */
export function pendingSignUp(sessionStore: Store): PendingSignUp | null {
  return pendingSchema.safeParse(parseJson(sessionStore.get(pendingKey) ?? '')).data ?? null
}

/** Removes a sign-up that this tab has started. */
export function forgetSignUp(sessionStore: Store): void {
  sessionStore.remove(pendingKey)
}

/**
 * Creates the account and its session. When an earlier attempt of this tab has created it already, logs in.
 * @throws {MembershipError} `email-already-in-use` and others
 */
export async function createAccount(
  client: MembershipClient,
  sessionStore: Store,
  { password, captchaToken, ...details }: PendingSignUp & NewCredentials,
): Promise<void> {
  const { email } = details
  const isRepeated = pendingSignUp(sessionStore)?.email === email
  // With the session's own address: the server writes xn--bcher-kva.example for bücher.example.
  const keep = ({ member }: MemberSession) =>
    sessionStore.set(pendingKey, JSON.stringify({ ...details, email: member.auth.email }))
  sessionStore.set(pendingKey, JSON.stringify(details))
  try {
    const { data } = await client.signupMemberEmailPassword({
      email,
      password,
      ...(captchaToken === null ? {} : { captchaToken }),
    })
    keep(data)
  } catch (error) {
    if (isRepeated && errorCode(error) === 'email-already-in-use') {
      // The response of the first attempt was lost. With another password, it is another account.
      const { data } = await client.loginMemberEmailPassword({ email, password }).catch(() => {
        throw error
      })
      keep(data)
      return
    }
    if (!isRepeated && isRefusal(error)) sessionStore.remove(pendingKey)
    throw error
  }
}

/** Returns whether the server refused the sign-up, so that it created no account. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status !== 0
}

/** Saves the name and the phone number of a sign-up that this tab has started for the logged-in member, once. */
export async function savePendingDetails(client: MembershipClient, sessionStore: Store): Promise<void> {
  const pending = pendingSignUp(sessionStore)
  if (pending === null) return
  const { data: member } = await client.getCurrentMember({ useCache: true })
  if (member?.auth.email.toLowerCase() !== pending.email.toLowerCase()) return sessionStore.remove(pendingKey)
  await client.updateMember({ customFields: { name: pending.name, phone: pending.phone } })
  sessionStore.remove(pendingKey)
}
