import { runCommand } from '../process/run-command.ts'
import { seededOwner } from './settings.ts'

/** Invites the seeded owner to the desk. Returns the link. Rejects with the reason when that fails. */
export async function inviteOwner(script: string, env: NodeJS.ProcessEnv, signal: AbortSignal | undefined) {
  const args = [script, 'people', 'invite', seededOwner.email, '--role', 'owner']
  const { code, stdout, stderr } = await runCommand(process.execPath, args, { env, signal })
  const [link = ''] = stdout.split('\n')
  if (code === 0) return link
  throw new Error(`The owner could not be invited:\n${stderr.trim() || stdout.trim()}`)
}
