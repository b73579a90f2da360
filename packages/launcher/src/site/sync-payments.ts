import { runCommand } from '../process/run-command.ts'

/** Creates the configured plans at the Stripe emulator. Rejects with the reason when that fails. */
export async function syncPayments(script: string, env: NodeJS.ProcessEnv, signal: AbortSignal | undefined) {
  const args = [script, 'payments', 'sync']
  const { code, stdout, stderr } = await runCommand(process.execPath, args, { env, signal })
  if (code !== 0) throw new Error(`The plans could not be created:\n${stderr.trim() || stdout.trim()}`)
}
