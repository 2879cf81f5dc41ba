/** Files are to stay as they are for now: a backup is made. */
export class FilesHeld extends Error {
  override readonly name = 'FilesHeld'
}
