import { runCommand } from '../process/run-command.ts'

/** Has the stand-in for Stripe sell what is configured. Rejects with the reason when it cannot. */
export async function syncPayments(script: string, env: NodeJS.ProcessEnv, signal: AbortSignal | undefined) {
  const { code, stdout, stderr } = await runCommand(process.execPath, [script, 'sync'], { env, signal })
  if (code !== 0) throw new Error(`The plans are not for sale:\n${stderr.trim() || stdout.trim()}`)
}
