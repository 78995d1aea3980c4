"""What is uploaded: the zip, the layer and the image of the upload front."""
