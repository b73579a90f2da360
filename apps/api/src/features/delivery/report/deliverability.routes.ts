import { getDeliverability } from '@tidings/contracts/desk/deliverability'
import { registerDesk } from '#features/desk/index.ts'
import type { App } from '#http/app-type.ts'
import type { DeliverabilityService } from './deliverability.service.ts'

export function registerDeliverability(
  app: App,
  { deliverability }: { deliverability: DeliverabilityService },
): void {
  registerDesk(app, getDeliverability, ({ query }) => deliverability.list(query))
}
