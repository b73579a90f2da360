import { listNeeds } from '@tidings/contracts/desk/needs/needs'
import { registerDesk, replyWith } from '#features/desk/index.ts'
import type { App } from '#http/app-type.ts'
import type { NeedsService } from './needs.service.ts'

export function registerNeeds(app: App, { needs }: { needs: NeedsService }): void {
  registerDesk(app, listNeeds, async () => replyWith(await needs.read()))
}
