import { migrateScript } from '../process/repository.ts'
import { runCommand } from '../process/run-command.ts'

/** Applies the project's migrations to a database. Rejects with the reason when they fail. */
export async function runMigrations(databaseUrl: string, onProgress: (line: string) => void = () => {}) {
  const env = { ...process.env, DATABASE_URL: databaseUrl }
  const { code, stdout, stderr } = await runCommand(process.execPath, [migrateScript], { env })
  if (code !== 0) throw new Error(stderr.trim() || `The migrations ended with code ${code}.`)
  for (const line of stdout.trim().split('\n')) onProgress(line)
}
