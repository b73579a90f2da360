import type { Route } from '@tidings/contracts/endpoint'
import { endpoints } from '@tidings/contracts/endpoints'
import { safeParse } from 'zod/mini'

/** Returns how a reply differs from the contract of its route, or undefined. It loads the schemas of all endpoints. */
export function findReplyError({ method, path }: Route, reply: unknown): Error | undefined {
  const called = endpoints.find((endpoint) => endpoint.method === method && endpoint.path === path)
  if (called === undefined) throw new Error(`The contracts have no ${method} ${path}`)
  return called.reply && safeParse(called.reply, reply).error
}
