import { queryOptions } from '@tanstack/react-query'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import * as routes from '@tidings/contracts/desk/routes'
import { call } from '#lib/api/call.ts'
import type { Readiness } from './look-at.ts'

const checkMs = 1_500

/** The facts that an editor should look at before a version of an edition is published. */
export function readinessOf(key: string, version: number) {
  return queryOptions({
    queryKey: ['editions', 'readiness', key, version],
    async queryFn({ signal }): Promise<Readiness> {
      return (await call(routes.getReadiness, { params: { key } }, { signal })).data
    },
    refetchInterval: ({ state }) => (state.data?.isChecking === true ? checkMs : false),
  })
}

/** The cost of an edition's texts now; null if it is unknown. */
export function textCost(key: string, version: number, method: 'memo-sms' | 'pdf-sms') {
  return queryOptions({
    queryKey: ['editions', 'cost', key, version, method],
    async queryFn({ signal }) {
      return (await call(routes.previewEdition, { params: { key, method } }, { signal })).data.texts
    },
    retry: false,
  })
}

/** A deed of the dialog. `publishAt` is null for now, and undefined for the slot's time. */
export type Deed = {
  edition: DeskEdition
  publishAt: string | null | undefined
  deliver: boolean | undefined
  /** A subject that isn't saved yet. */
  subject: string | undefined
}

/** Schedules or publishes the version of an edition that was seen. */
export async function carryOut(
  { edition, publishAt, deliver, subject }: Deed,
  idempotencyKey: string,
): Promise<DeskEdition> {
  const options = { ifMatch: edition.version, idempotencyKey }
  const params = { key: edition.key }
  if (publishAt === null) {
    return (await call(routes.publishEdition, { params, body: { deliver, subject } }, options)).data
  }
  const body = { status: 'scheduled', deliver, publishAt, subject } as const
  return (await call(routes.putEdition, { params, body }, options)).data
}

/** Changes the subject of an edition's emails, and nothing else. */
export async function saveSubject(edition: DeskEdition, subject: string): Promise<DeskEdition> {
  const { key, version, status, publishAt } = edition
  const body =
    status === 'scheduled'
      ? ({ status: 'scheduled', publishAt, subject } as const)
      : ({ status: 'draft', subject } as const)
  return (await call(routes.putEdition, { params: { key }, body }, { ifMatch: version })).data
}
