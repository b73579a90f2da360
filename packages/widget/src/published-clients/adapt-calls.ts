import type { MembershipCalls } from '../dialogs/membership-calls.ts'
import { callInWindow } from './provider-windows.ts'

/** The calls that resolve to a reply. The compiler finds a missing one. */
const names: Record<Exclude<keyof MembershipCalls, 'onAuthChange' | 'apiBase'>, true> = {
  getApp: true,
  getCurrentMember: true,
  loginMemberEmailPassword: true,
  signupMemberEmailPassword: true,
  sendMemberLoginPasswordlessEmail: true,
  loginMemberPasswordless: true,
  sendMemberSignupPasswordlessEmail: true,
  signupMemberPasswordless: true,
  sendMemberResetPasswordEmail: true,
  resetMemberPassword: true,
  loginWithProvider: true,
  signupWithProvider: true,
  connectProvider: true,
  disconnectProvider: true,
  updateMember: true,
  updateMemberProfileImage: true,
  updateMemberAuth: true,
  setPassword: true,
  removePlan: true,
  launchStripeCustomerPortal: true,
  logout: true,
}

/** The calls that open a window. */
const windowNames: ReadonlySet<string> = new Set<keyof MembershipCalls>([
  'loginWithProvider',
  'signupWithProvider',
  'connectProvider',
])

/**
 * Returns the dialogs' calls through the methods of a published client. Each result is `data`, with the text to show from
 * `message` or `_internalUseOnly.message`. A method that the client doesn't have is missing.
 */
export function adaptCalls(client: unknown): MembershipCalls {
  const adapted: Record<string, unknown> = {}
  for (const name of Object.keys(names)) {
    const method = methodOf(client, name)
    if (!method) continue
    const make = windowNames.has(name) ? callInWindow : (call: () => unknown) => call()
    adapted[name] = async (...parameters: unknown[]) => toReply(await make(() => method(...parameters)))
  }
  const onAuthChange = methodOf(client, 'onAuthChange')
  if (onAuthChange) {
    adapted.onAuthChange = (callback: unknown) => {
      const listening = onAuthChange(callback)
      return { unsubscribe: () => methodOf(listening, 'unsubscribe')?.() }
    }
  }
  if (!areCalls(adapted)) throw new Error('The dialogs have a call that is no function')
  return adapted
}

function areCalls(calls: Record<string, unknown>): calls is MembershipCalls {
  return Object.values(calls).every((call) => typeof call === 'function')
}

function methodOf(client: unknown, name: string): ((...parameters: unknown[]) => unknown) | undefined {
  const method: unknown = client instanceof Object ? Reflect.get(client, name) : undefined
  return typeof method === 'function'
    ? (...parameters) => Reflect.apply(method, client, parameters)
    : undefined
}

function toReply(result: unknown): { data: unknown; message?: string } {
  const message = textIn(result, 'message') ?? textIn(fieldOf(result, '_internalUseOnly'), 'message')
  return { data: fieldOf(result, 'data'), ...(message !== undefined && { message }) }
}

function textIn(value: unknown, name: string): string | undefined {
  const text = fieldOf(value, name)
  return typeof text === 'string' && text !== '' ? text : undefined
}

function fieldOf(value: unknown, name: string): unknown {
  return value instanceof Object ? Reflect.get(value, name) : undefined
}
