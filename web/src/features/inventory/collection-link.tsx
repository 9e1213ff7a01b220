import { Link } from '@tanstack/react-router'
import { GalleryVerticalEnd } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { inventoryTexts } from './texts'

/** Links the vault and the cards to the page that has everything. */
export function CollectionLink() {
  const { title } = inventoryTexts.useT().collection
  return (
    <Button asChild variant="secondary">
      <Link to="/my-collection">
        <GalleryVerticalEnd aria-hidden />
        <span>{title}</span>
      </Link>
    </Button>
  )
}
