import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'

/**
 * Prisma's adapter, with each script handed to the server whole. It would cut a script at every semicolon, in the middle
 * of a function's body too; whole, a script is also one transaction.
 */
export function withWholeScripts(
  factory: SqlMigrationAwareDriverAdapterFactory,
): SqlMigrationAwareDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connectToShadowDb: () => factory.connectToShadowDb(),
    async connect() {
      const adapter = await factory.connect()
      adapter.executeScript = async (script) => {
        await adapter.executeRaw({ sql: script, args: [], argTypes: [] })
      }
      return adapter
    },
  }
}
