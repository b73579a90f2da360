import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { expect } from 'vitest'
import { waitOptions } from '#test/wait-options.ts'

export const relayPort = 2601
const receiverPort = 2602

const common = (folder: string, name: string, port: number) => `
primary_hostname = ${name}.example
spool_directory = ${folder}/${name}-spool
log_file_path = ${folder}/${name}-%slog
pid_file_path = ${folder}/${name}.pid
daemon_smtp_ports = ${port}
local_interfaces = 127.0.0.1
disable_ipv6 = true
tls_advertise_hosts =
keep_environment =
deliver_drop_privilege = true
`

/** Takes every email of the site and passes it on; bounces go to the site. */
const relay = (folder: string, bouncePort: number) => `${common(folder, 'relay', relayPort)}
acl_smtp_rcpt = acl_rcpt
begin acl
acl_rcpt:
  accept
begin routers
bounces:
  driver = manualroute
  domains = bounces.example.com
  route_list = * 127.0.0.1
  self = send
  transport = to_site
others:
  driver = manualroute
  route_list = * 127.0.0.1
  self = send
  transport = to_receiver
begin transports
to_site:
  driver = smtp
  port = ${bouncePort}
  allow_localhost
  hosts_try_fastopen =
to_receiver:
  driver = smtp
  port = ${receiverPort}
  allow_localhost
  hosts_try_fastopen =
begin retry
* * F,1h,1m
`

/** Stores emails with the result of their DKIM signatures. There is no mailbox "gone". */
const receiver = (folder: string) => `${common(folder, 'receiver', receiverPort)}
acl_smtp_rcpt = acl_rcpt
acl_smtp_dkim = acl_dkim
begin acl
acl_rcpt:
  deny local_parts = gone
       message = 5.1.1 No such mailbox
  accept
acl_dkim:
  accept add_header = X-Dkim: $dkim_cur_signer $dkim_verify_status
begin routers
mailboxes:
  driver = accept
  transport = mailbox
begin transports
mailbox:
  driver = appendfile
  directory = ${folder}/mail
  maildir_format
begin retry
* * F,1h,1m
`

/** Starts one Exim that relays the site's emails and another one that receives them. */
export async function startExims(folder: string, { bouncePort }: { bouncePort: number }) {
  await chmod(folder, 0o777)
  const daemons: ChildProcess[] = []
  const configurations = { relay: relay(folder, bouncePort), receiver: receiver(folder) }
  for (const [name, configuration] of Object.entries(configurations)) {
    const file = path.join(folder, `${name}.conf`)
    await writeFile(file, configuration)
    // Exim gives up root with a configuration of ours.
    const spool = path.join(folder, `${name}-spool`)
    await mkdir(spool)
    await chmod(spool, 0o777)
    daemons.push(spawn('/usr/sbin/exim4', ['-C', file, '-bdf', '-q1m'], { stdio: 'inherit' }))
  }
  for (const port of [relayPort, receiverPort]) await untilListening(port)
  return {
    /** The emails that have arrived. */
    async mails(): Promise<string[]> {
      const arrived = path.join(folder, 'mail/new')
      const files = await readdir(arrived).catch(() => [])
      return await Promise.all(files.map((file) => readFile(path.join(arrived, file), 'utf8')))
    },
    async stop(): Promise<void> {
      for (const daemon of daemons) {
        if (daemon.exitCode !== null || !daemon.kill()) continue
        await once(daemon, 'exit')
      }
    },
  }
}

async function untilListening(port: number): Promise<void> {
  const isListening = async () => {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    return isOpen
  }
  await expect.poll(isListening, waitOptions).toBe(true)
}
