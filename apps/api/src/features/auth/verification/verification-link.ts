import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { fail } from '../auth.errors.ts'
import type { Caller } from '../caller.ts'
import type { CodeService } from '../codes/codes.service.ts'
import { readEmail } from '../credentials.ts'

/** The address and the code of a link, with the signature of those that we email. */
export type Link = { email: string; code: string; signature?: string }

/** Returns what the code of a link is bound to. */
export function bindingOf(app: MembershipApp, { email }: Link) {
  return { appId: app.id, purpose: 'verification', email: readEmail(email) } as const
}

/** Returns the valid code of a link. Throws `invalid-verification-code`. */
export async function readLink(codes: CodeService, app: MembershipApp, link: Link, caller: Caller) {
  const binding = bindingOf(app, link)
  const code = codes.isEmailed(binding, link)
    ? (await codes.recall(binding, link.code)).code
    : await codes.check(binding, link.code, caller)
  if (code === null) throw fail('invalid-verification-code')
  return { code, binding }
}
