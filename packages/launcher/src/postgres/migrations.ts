import { runCommand } from '../process/run-command.ts'
import { migrateScript } from '../repository.ts'

/** Runs the project's migrations on a database; rejects with the reason when they fail. */
export async function runMigrations(databaseUrl: string, onProgress: (line: string) => void = () => {}) {
  const env = { ...process.env, DATABASE_URL: databaseUrl }
  const { code, stdout, stderr } = await runCommand(process.execPath, [migrateScript], { env })
  if (code !== 0) throw new Error(stderr.trim() || `Migrating ended with code ${code}.`)
  for (const line of stdout.trim().split('\n')) onProgress(line)
}
