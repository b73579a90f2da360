import type { DatabaseAvailability } from '#platform/availability/database-availability.ts'
import { DatabaseUnavailableError } from '#platform/database.ts'
import { fail } from '#platform/errors.ts'
import type { App } from '../app-type.ts'

const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Refuses writes with 503 at once while the database is unavailable: each would wait for it and fail. */
export function refuseWritesInOutage(scope: App, availability: DatabaseAvailability): void {
  scope.addHook('onRequest', (request, _reply, done) => {
    if (readMethods.has(request.method) || !availability.isUnavailable()) return done()
    done(fail('service-unavailable', new DatabaseUnavailableError('The database is unavailable.')))
  })
}
