import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { createBucketStore, createFolderStore } from '../context/stores.ts'
import { type CopyProgress, copyPictures } from '../features/media/index.ts'
import { hasCode } from '../platform/errors.ts'
import { addExample, CommandError, type CommandLine, textOf, UsageError } from './command-line.ts'

const barWidth = 30

/** Defines the commands for stored pictures. */
export function defineMedia(media: CommandUnknownOpts, cli: CommandLine): void {
  const migrate = media
    .command('migrate')
    .description(
      'copies pictures from the folder in DATA_DIR to the bucket of MEDIA_STORE, or back, and compares them by hash. Deletes nothing, and goes on where it was stopped',
    )
    .addOption(
      new Option('--to <place>', 'where to copy them').choices(['bucket', 'folder']).default('bucket'),
    )
    .action(({ to }) =>
      cli.run(async () => {
        const config = await cli.readConfig()
        if (config.media.bucket === null) {
          throw new UsageError(
            'Set MEDIA_STORE to the bucket first, such as s3://bucket?region=eu-central-1.',
          )
        }
        const folder = createFolderStore(config)
        const bucket = createBucketStore(config.media.bucket)
        const stores = to === 'bucket' ? { from: folder, to: bucket } : { from: bucket, to: folder }
        const result = await copyPictures(stores, (progress) => cli.showProgress(barOf(progress))).catch(
          (error: unknown) => {
            throw hasCode(error, 'service-unavailable') ? unavailable(error.cause) : error
          },
        )
        const { files, copied, unchanged } = result
        const text = `${files} files: ${copied} copied to the ${to}, ${unchanged} were there already.\n`
        return { json: { to, ...result }, text }
      }),
    )
  addExample(migrate, 'tidings media migrate', 'tidings media migrate --to folder')
}

function unavailable(cause: unknown): CommandError {
  return new CommandError(
    `The bucket is unavailable: ${textOf(cause)}. Run the command again: it goes on where it stopped.`,
  )
}

function barOf({ files, copied, unchanged }: CopyProgress): string {
  const done = files === 0 ? 1 : (copied + unchanged) / files
  const filled = Math.round(done * barWidth)
  return `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}] ${copied + unchanged} of ${files} files`
}
