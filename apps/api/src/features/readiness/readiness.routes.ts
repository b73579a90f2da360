import { checkLink, getReadiness } from '@tidings/contracts/desk/writing/readiness'
import { registerDesk } from '#features/desk/index.ts'
import { getEditionId } from '#features/editions/index.ts'
import type { App } from '#http/app-type.ts'
import type { LinkChecks } from './link-checks.service.ts'
import type { ReadinessService } from './readiness.service.ts'

/** Registers what editors look at before they publish. */
export function registerReadiness(
  app: App,
  { deskReadiness, linkChecks }: { deskReadiness: ReadinessService; linkChecks: LinkChecks },
): void {
  registerDesk(app, getReadiness, ({ params }) => deskReadiness.of(getEditionId(params.key)))
  registerDesk(app, checkLink, ({ requester, body }) => linkChecks.check(requester, body.url))
}
