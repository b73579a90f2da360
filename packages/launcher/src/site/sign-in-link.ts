import { runCommand } from '../process/run-command.ts'
import { seededOwner } from './settings.ts'

/** Makes a link that signs in as the seeded owner of the desk. Rejects with the reason when that fails. */
export async function makeSignInLink(
  script: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
) {
  const args = [script, 'people', 'link', seededOwner.email]
  const { code, stdout, stderr } = await runCommand(process.execPath, args, { env, signal })
  const [link = ''] = stdout.split('\n')
  if (code === 0) return link
  throw new Error(`There is no link to the desk:\n${stderr.trim() || stdout.trim()}`)
}
