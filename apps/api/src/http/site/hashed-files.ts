import path from 'node:path'
import staticFiles from '@fastify/static'
import type { App } from '../app-type.ts'
import { declarePublic } from '../endpoints/access.ts'

/** Registers the assets of a built web application, whose names contain a hash of their content: browsers keep them for good. */
export async function registerHashedFiles(
  app: App,
  { built, prefix }: { built: string; prefix: string },
): Promise<void> {
  await app.register(async (scope: App) => {
    declarePublic(scope)
    await scope.register(staticFiles, {
      root: path.join(built, 'static'),
      prefix,
      decorateReply: false,
      preCompressed: true,
      index: false,
      dotfiles: 'ignore',
      immutable: true,
      maxAge: '1y',
    })
  })
}
