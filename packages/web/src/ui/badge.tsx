import { Icon, type IconName } from './icons.tsx'

/** A fact with its icon; all facts look the same, the icon tells them apart. `iconOnly` keeps the name for assistive technology. */
export function Badge(props: {
  readonly icon: IconName
  readonly label: string
  readonly iconOnly?: boolean
  readonly className?: string
}) {
  if (props.iconOnly === true) {
    return (
      <span className={`badge badge-icon ${props.className ?? ''}`} title={props.label}>
        <Icon name={props.icon} size={12} label={props.label} />
      </span>
    )
  }
  return (
    <span className={`badge ${props.className ?? ''}`}>
      <Icon name={props.icon} size={12} />
      {props.label}
    </span>
  )
}
