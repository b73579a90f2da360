import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { type Disk, readDisk } from './disk.ts'

type Deps = Pick<PlatformDeps, 'metrics'> & {
  dataDir: string
  build: { version: string; revision: string }
}

/** Exports the version of this process, and the space of its DATA_DIR. */
export function exportProcess({ metrics, dataDir, build }: Deps): void {
  metrics
    .gauge({
      name: 'tidings_build_info',
      help: 'Always 1, with the version, the revision and the Node release of this process',
      labelNames: ['version', 'revision', 'node'],
    })
    .set({ ...build, node: process.version }, 1)

  const ofDisk = (name: string, help: string, bytesOf: (disk: Disk) => number) =>
    metrics.gauge({
      name,
      help,
      async collect() {
        const disk = await readDisk(dataDir).catch(() => null)
        // A folder that can't be read has no value, because 0 would mean a full disk.
        if (disk === null) this.remove()
        else this.set(bytesOf(disk))
      },
    })
  ofDisk('tidings_data_dir_size_bytes', 'Size of the disk of DATA_DIR', ({ sizeBytes }) => sizeBytes)
  ofDisk(
    'tidings_data_dir_free_bytes',
    'Space that this process may still use on the disk of DATA_DIR',
    ({ freeBytes }) => freeBytes,
  )
}
