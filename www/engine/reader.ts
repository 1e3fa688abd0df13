/** How files are read now, the Reader of core/lab/run: what is opened anew says it, and records keep the number that they were opened with. */
export const READER = 6;
