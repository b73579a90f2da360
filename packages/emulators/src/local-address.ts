const localNames = ['localhost', '127.0.0.1', '[::1]']

/** Whether an address names this machine, as browsers and programs on it do. */
export function isLocal(url: URL): boolean {
  return localNames.includes(url.hostname) || url.hostname.endsWith('.localhost')
}
