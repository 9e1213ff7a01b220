export const labubus = {
  title: 'Labubu collection',
  text: 'Long ears, sharp teeth, and a box that stays closed until you say so. Three series, a deluxe shelf, and a few secrets.',
  explore: 'Explore Labubus',
  video: 'Toys in their boxes, turning slowly under a light',
}
